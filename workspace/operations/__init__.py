"""Operations: from a state and a wish to the next state and its entry, or a refusal.

All are pure (changes.md 3): nothing here compiles, logs or touches a live object.
"""

"""The session without a terminal, and what shows it: commands, rendering, prompt, command line."""

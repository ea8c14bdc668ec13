"""What Beamtalk code sees of the workspace: the classes in `*.bt`, and their primitives (changes.md 12).

Each primitives module makes the table of one class for one workspace; nothing here decides
anything, it translates.
"""

"""From the ChangeLog to the disk, all or nothing (changes.md 4 and 5)."""

"""Processes: scheduler, messages, actors, timers, supervisors (actors.md)."""

"""What a tree means: scopes, language errors, references, and names of modules."""

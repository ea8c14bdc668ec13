"""The ChangeLog: entries, marks, their durable store, and the views derived from them."""

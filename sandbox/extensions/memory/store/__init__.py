"""The only home of SQL: one file, one writer, several readers."""

"""The file: its connections, its one writer, its schema, its encryption."""

insert into schema_migrations (version, name, checksum) values ($1, $2, $3)

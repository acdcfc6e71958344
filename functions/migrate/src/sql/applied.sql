select version, checksum from schema_migrations order by version

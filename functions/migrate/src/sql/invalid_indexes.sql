-- What a failed `create index concurrently` leaves behind.
select index.relname, format('drop index concurrently if exists %I.%I', schema.nspname, index.relname)
from pg_index
join pg_class index on index.oid = pg_index.indexrelid
join pg_namespace schema on schema.oid = index.relnamespace
where not pg_index.indisvalid and schema.nspname = current_schema()

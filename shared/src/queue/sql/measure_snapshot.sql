-- The age of the oldest transaction of this database whose snapshot keeps every vacuum from what was deleted since.
-- Sessions of other roles are seen by a member of pg_read_all_stats only.
select extract(epoch from clock_timestamp() - least(
    (
        select min(session.xact_start)
        from pg_stat_activity as session
        where session.datname = current_database()
            and session.pid <> pg_backend_pid()
            and (session.backend_xmin is not null or session.backend_xid is not null)
            -- a vacuum keeps no other from anything
            and not exists (select from pg_stat_progress_vacuum as vacuum where vacuum.pid = session.pid)
    ),
    (select min(prepared) from pg_prepared_xacts where database = current_database())
))::float8 as age

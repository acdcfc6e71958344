select pid, application_name, state, xact_start
from pg_stat_activity
where pid = any(pg_blocking_pids($1)) and pid <> pg_backend_pid()
order by xact_start, pid

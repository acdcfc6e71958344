-- A 64-bit advisory key stands in pg_locks as its two halves.
select activity.pid, activity.application_name, activity.state, activity.xact_start
from pg_locks lock
join pg_stat_activity activity on activity.pid = lock.pid
where lock.locktype = 'advisory' and lock.objsubid = 1 and lock.granted
    and lock.database = (select oid from pg_database where datname = current_database())
    and lock.classid::bigint << 32 | lock.objid::bigint = $1
order by activity.xact_start, activity.pid

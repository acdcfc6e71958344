-- Whoever updates the row sends the one probe; a probe nobody reported within a lease is free again.
update pauses
set probe_until = (select clock_timestamp()) + make_interval(secs => $2)
where app = $1 and greatest(until, probe_until) <= (select clock_timestamp())
returning reason

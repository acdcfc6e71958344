-- Whoever updates the row sends the one probe; a probe nobody reported within a lease is free again. Who asks has the
-- app's key, so a pause for want of it is over; it ends here, so that the probe's verdict begins or ends a pause.
update pauses
set probe_until = (select clock_timestamp()) + make_interval(secs => $2),
    until = least(until, (select clock_timestamp()))
where app = $1
    and probe_until <= (select clock_timestamp())
    and (until <= (select clock_timestamp()) or reason = $3)
returning reason

-- Records the dismissal first, so that a finish that gets the lane before us still reads it after its locks.
insert into dismissals (source, event, app, device, dismissed_at)
select $1, $2, wanted.app, wanted.device, (select clock_timestamp())
from unnest($3::text[], $4::text[]) as wanted (app, device)
order by wanted.app collate "C", wanted.device collate "C"
on conflict (source, event, app, device) do update
set dismissed_at = excluded.dismissed_at
where dismissals.dismissed_at <= excluded.dismissed_at - make_interval(secs => $5)
returning app, device

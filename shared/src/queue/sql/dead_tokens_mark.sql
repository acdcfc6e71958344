insert into dead_tokens (app, token_hash, device, reason, dead_at, recorded_at, source, event)
select distinct on (dead.app collate "C", dead.token_hash)
    dead.app, dead.token_hash, dead.device, dead.reason, coalesce(dead.dead_at, clock.now), clock.now,
    dead.source, dead.event
from unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
    as dead (app, token_hash, device, reason, dead_at, source, event)
cross join (select clock_timestamp() as now) as clock
-- what another drain has found out meanwhile holds for the verdicts of this one, too
where not exists (select from pauses where pauses.app = dead.app and pauses.reason = $8)
order by dead.app collate "C", dead.token_hash
on conflict (app, token_hash) do update
set device = excluded.device,
    reason = excluded.reason,
    dead_at = excluded.dead_at,
    recorded_at = excluded.recorded_at,
    source = excluded.source,
    event = excluded.event,
    posted_at = null,
    posting_until = '-infinity'
-- an older verdict says nothing new
where excluded.dead_at > dead_tokens.dead_at

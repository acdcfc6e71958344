-- A verdict about a device that was forgotten meanwhile is not recorded: what met it has no receipt any more (a silent
-- push: no dismissal). The lock keeps a forget from passing between this look and the insert.
with dead as materialized (
    select *
    from unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
        with ordinality as dead (app, token_hash, device, reason, dead_at, source, event, place)
),
known as materialized (
    select dead.place
    from dead
    cross join lateral (
        select
        from receipts
        where receipts.source = dead.source and receipts.event = dead.event
            and receipts.app = dead.app and receipts.device = dead.device
        for key share
    ) as receipt
    union all
    select dead.place
    from dead
    cross join lateral (
        select
        from dismissals
        where dismissals.source = dead.source and dismissals.event = dead.event
            and dismissals.app = dead.app and dismissals.device = dead.device
        for key share
    ) as dismissal
)
insert into dead_tokens (app, token_hash, device, reason, dead_at, recorded_at, source, event)
select distinct on (dead.app collate "C", dead.token_hash)
    dead.app, dead.token_hash, dead.device, dead.reason, coalesce(dead.dead_at, clock.now), clock.now,
    dead.source, dead.event
from dead
cross join (select clock_timestamp() as now) as clock
where dead.place in (select place from known)
    -- what another drain has found out meanwhile holds for the verdicts of this one, too
    and not exists (select from pauses where pauses.app = dead.app and pauses.reason = $8)
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

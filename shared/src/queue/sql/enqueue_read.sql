-- A new statement after the locks: what the call meets in each lane, with the clock read after the wait.
with clock as materialized (
    select clock_timestamp() as now
),
wanted as materialized (
    select *
    from unnest($3::text[], $4::text[], $5::bytea[], $6::timestamptz[])
        with ordinality as wanted (app, device, token_hash, registered_at, place)
)
select
    clock.now,
    -- never backwards within a lane, even when the clock steps back
    greatest($7::timestamptz, clock.now, lanes.tail_at) as send_at,
    -- looked up for one device at a time, as all of these: in a join, an event that the statistics take for a rare one
    -- is read as a whole for each of them
    (
        select receipts.fingerprint
        from receipts
        where receipts.source = $1 and receipts.event = $2
            and receipts.app = wanted.app and receipts.device = wanted.device
            and receipts.keep_until > clock.now
    ) as receipt,
    exists (
        select
        from dismissals
        where dismissals.source = $1 and dismissals.event = $2
            and dismissals.app = wanted.app and dismissals.device = wanted.device
            and dismissals.dismissed_at > clock.now - make_interval(secs => $8)
    ) as dismissed,
    exists (
        select
        from dead_tokens
        where dead_tokens.app = wanted.app and dead_tokens.token_hash = wanted.token_hash
            -- unless the product registered it again after the verdict
            and (wanted.registered_at is null or wanted.registered_at <= dead_tokens.dead_at)
    ) as unregistered,
    (
        select count(*)
        from (
            select
            from notifications
            where notifications.app = wanted.app and notifications.device = wanted.device
            limit $9
        ) as pending
    ) as pending
from wanted
cross join clock
join lanes on lanes.app = wanted.app and lanes.device = wanted.device
order by wanted.place

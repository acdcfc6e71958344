-- A new statement after the locks: deletes the event's rows by the seq in their receipts, but never the head of a
-- leased lane: what is in flight can't be recalled, and its finish reads the dismissal.
with clock as materialized (
    select clock_timestamp() as now
),
found as materialized (
    select receipts.seq, lanes.app, lanes.device, lanes.head, lanes.head_at
    from unnest($3::text[], $4::text[]) as wanted (app, device)
    -- one device at a time: joined, an event that the statistics take for a rare one is compared as a whole with each
    cross join lateral (
        select receipts.seq
        from receipts
        where receipts.source = $1 and receipts.event = $2
            and receipts.app = wanted.app and receipts.device = wanted.device
        limit 1
    ) as receipts
    join lanes on lanes.app = wanted.app and lanes.device = wanted.device
    cross join clock
    where not (lanes.head = receipts.seq and lanes.lease_until > clock.now)
),
deleted as (
    delete from notifications
    where seq = any(array(select seq from found))
),
next as materialized (
    select found.app, found.device, next.seq, next.send_at
    from found
    left join lateral (
        select seq, send_at
        from notifications
        where notifications.app = found.app
            and notifications.device = found.device
            and notifications.seq <> found.seq
        order by send_at, seq
        limit 1
    ) as next on true
    where found.head = found.seq
)
-- a lane left empty becomes a placeholder again: the silent push may follow, and a device's rest with it
update lanes
set head = coalesce(next.seq, 0),
    head_at = coalesce(next.send_at, 'infinity'),
    due_at = greatest(coalesce(next.send_at, 'infinity'), lanes.rest_until),
    attempts = 0,
    unanswered = 0,
    lease_token = null
from next
where lanes.app = next.app and lanes.device = next.device

-- Inserts the notifications of one event, their receipts in key order, and moves the lanes.
with clock as materialized (
    select clock_timestamp() as now
),
wanted as materialized (
    select *
    from unnest($7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[])
        as wanted (app, device, target, send_at, expires_at)
),
inserted as (
    insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
    select app, device, $1, $2, $3, $4, $5::json, target::json, send_at, expires_at
    from wanted
    order by app collate "C", device collate "C"
    returning seq, app, device, send_at, expires_at
),
receipted as (
    insert into receipts (source, event, app, device, fingerprint, seq, keep_until)
    select $1, $2, app, device, $6, seq,
        greatest(clock.now + make_interval(secs => $13), expires_at + make_interval(secs => $14))
    from inserted
    cross join clock
    -- the silent push of a dismissal has none: the dismissal itself is what a second one meets
    where $3 <> 'dismiss'
    order by app collate "C", device collate "C"
    -- one past its time that prune has not met yet
    on conflict (source, event, app, device) do update
    set fingerprint = excluded.fingerprint, seq = excluded.seq, keep_until = excluded.keep_until
),
placed as materialized (
    select
        inserted.*,
        -- asked for later than the lane and the clock, as the call read it, made necessary; told here rather than by
        -- the call, since a join with what it wanted compares every two of its devices
        inserted.send_at > greatest($12::timestamptz, lanes.tail_at) as scheduled,
        -- only of a new lane, or before the head of an unleased one (which is then scheduled for later)
        lanes.head = 0
            or lanes.lease_until <= clock.now
            and (inserted.send_at, inserted.seq) < (lanes.head_at, lanes.head) as first
    from inserted
    join lanes on lanes.app = inserted.app and lanes.device = inserted.device
    cross join clock
),
moved as (
    update lanes
    set head = case when placed.first then placed.seq else lanes.head end,
        head_at = case when placed.first then placed.send_at else lanes.head_at end,
        due_at = case when placed.first then greatest(placed.send_at, lanes.rest_until) else lanes.due_at end,
        attempts = case when placed.first then 0 else lanes.attempts end,
        unanswered = case when placed.first then 0 else lanes.unanswered end,
        lease_token = case when placed.first then null else lanes.lease_token end,
        tail_at = case when placed.scheduled then lanes.tail_at else greatest(lanes.tail_at, placed.send_at) end
    from placed
    where lanes.app = placed.app and lanes.device = placed.device
    returning placed.first, lanes.due_at
)
select
    count(*) filter (where moved.first) as heads,
    extract(epoch from min(moved.due_at) filter (where moved.first) - (select now from clock))::float8 as due_in
from moved

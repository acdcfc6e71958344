-- What waits, by app. Every lane and notification is counted: the stack of one machine is small enough.
with clock as materialized (
    select clock_timestamp() as now
),
waiting as (
    select app, count(*) as queued
    from notifications
    group by app
),
standing as (
    select
        lanes.app,
        count(*) filter (where lanes.lease_until > clock.now) as in_flight,
        count(*) filter (where lanes.due_at <= clock.now and lanes.lease_until <= clock.now) as due,
        min(lanes.due_at) filter (where lanes.due_at <= clock.now and lanes.lease_until <= clock.now) as oldest,
        min(lanes.due_at) filter (where lanes.due_at > clock.now and lanes.due_at < 'infinity') as coming
    from lanes
    cross join clock
    group by lanes.app
)
select
    app,
    coalesce(waiting.queued, 0) as queued,
    coalesce(standing.in_flight, 0) as in_flight,
    coalesce(standing.due, 0) as due,
    coalesce(extract(epoch from clock.now - standing.oldest), 0)::float8 as oldest,
    extract(epoch from standing.coming - clock.now)::float8 as coming,
    pauses.reason,
    pauses.step,
    pauses.paused_at,
    pauses.until,
    pauses.until <= clock.now as probing
from waiting
full join standing using (app)
full join pauses using (app)
cross join clock
order by app

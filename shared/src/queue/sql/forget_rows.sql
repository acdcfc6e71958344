-- A new statement after the lock. What is in flight stays as a whole, with its receipt and its dismissal: a lease is its
-- drain's, and its finish ends it. The head goes last, with its lane, so that no lane names a row that is gone.
with clock as materialized (
    select clock_timestamp() as now
),
lane as materialized (
    select lanes.head, lanes.lease_until, lanes.lease_until > clock.now as flying
    from lanes
    cross join clock
    where lanes.app = $1 and lanes.device = $2
),
flight as materialized (
    select notifications.source, notifications.event
    from lane
    join notifications on notifications.seq = lane.head
    where lane.flying
),
behind as materialized (
    select notifications.seq
    from notifications
    where notifications.app = $1 and notifications.device = $2
        and notifications.seq <> (select head from lane)
    order by notifications.send_at, notifications.seq
    limit $3
),
rows_gone as (
    delete from notifications
    where seq = any(array(
        select seq from behind
        union all
        select head from lane where not flying and (select count(*) from behind) < $3
    ))
    returning target
),
-- what is locked is a verdict's or another call's; the next pass meets it
receipts_gone as (
    delete from receipts
    using (
        select source, event, app, device
        from receipts
        where device = $2 and app = $1
            and (source, event) not in (select source, event from flight)
        limit $3
        for update skip locked
    ) as found
    where receipts.source = found.source and receipts.event = found.event
        and receipts.app = found.app and receipts.device = found.device
    returning 1
),
-- never waited for: a dismissal locks its rows here before it waits for our lane
dismissals_gone as (
    delete from dismissals
    using (
        select source, event, app, device
        from dismissals
        where device = $2 and app = $1
            and (source, event) not in (select source, event from flight)
        limit $3
        for update skip locked
    ) as found
    where dismissals.source = found.source and dismissals.event = found.event
        and dismissals.app = found.app and dismissals.device = found.device
    returning 1
),
lane_gone as (
    delete from lanes
    using lane
    where lanes.app = $1 and lanes.device = $2
        and not lane.flying and (select count(*) from behind) < $3
)
select
    (select count(*) from rows_gone) as notifications,
    array(select distinct target::text from rows_gone) as targets,
    (select count(*) from receipts_gone) as receipts,
    (select count(*) from dismissals_gone) as dismissals,
    (select lease_until from lane where flying) as in_flight,
    (select count(*) from behind) >= $3 as more

-- Leases up to n lanes of each app, of which up to old are older than the TTL where there are any.
with clock as materialized (
    select clock_timestamp() as now
),
picked as materialized (
    select lane.app, lane.device
    from unnest($1::text[], $2::int[], $3::int[]) as wanted (app, old, n)
    cross join lateral (
        with old as materialized (
            select lanes.app, lanes.device
            from lanes
            where lanes.app = wanted.app
                -- scalar subqueries: a volatile function would be no index condition
                and lanes.due_at <= (select now - make_interval(secs => $6) from clock)
                and lanes.lease_until <= (select now from clock)
            order by lanes.due_at, lanes.head
            limit wanted.old
            for update skip locked
        ),
        fresh as materialized (
            select lanes.app, lanes.device
            from lanes
            where lanes.app = wanted.app
                and lanes.due_at > (select now - make_interval(secs => $6) from clock)
                and lanes.due_at <= (select now from clock)
                and lanes.lease_until <= (select now from clock)
            order by lanes.due_at, lanes.head
            limit wanted.n - (select count(*) from old)
            for update skip locked
        )
        select app, device from old
        union all
        select app, device from fresh
    ) as lane
),
leased as (
    update lanes
    set lease_until = (select now from clock) + make_interval(secs => $5),
        lease_token = $4,
        attempts = lanes.attempts + 1,
        unanswered = lanes.unanswered + 1,
        -- after a step back of the clock no new row sorts before a head already tried
        tail_at = greatest(lanes.tail_at, lanes.head_at)
    -- by key through both arrays: one array alone would lease the cross product, a ctid would miss the newest version
    from unnest(
        (select array_agg(app) from picked),
        (select array_agg(device) from picked)
    ) as chosen (app, device)
    where lanes.app = chosen.app and lanes.device = chosen.device
    returning lanes.app, lanes.device, lanes.head, lanes.attempts, lanes.unanswered,
        -- how long it has been due tells the old from the fresh
        lanes.due_at <= (select now - make_interval(secs => $6) from clock) as old
)
select leased.*, clock.now from leased cross join clock

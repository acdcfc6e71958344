with recursive clock as materialized (
    select clock_timestamp() as now
),
-- the apps that have lanes, one index probe each, unless the caller names its own
seen as (
    select (select min(app) from lanes where $1::text[] is null) as app
    union all
    select (select min(lanes.app) from lanes where lanes.app > seen.app)
    from seen
    where seen.app is not null
),
apps as (
    select app from seen where app is not null
    union
    select unnest($1::text[])
),
due as materialized (
    select lane.due_at
    from apps
    left join pauses on pauses.app = apps.app
    cross join lateral (
        select lanes.due_at
        from lanes
        where lanes.app = apps.app
            and lanes.due_at <= (select now from clock)
            and lanes.lease_until <= (select now from clock)
        order by lanes.due_at, lanes.head
        -- a pause whose time is over has work for one probe
        limit case when pauses.app is null then $2 else 1 end
    ) as lane
    where pauses.app is null or greatest(pauses.until, pauses.probe_until) <= (select now from clock)
),
coming as materialized (
    select greatest(lane.due_at, pauses.until, pauses.probe_until) as due_at
    from apps
    left join pauses on pauses.app = apps.app
    cross join lateral (
        select lanes.due_at
        from lanes
        where lanes.app = apps.app
            -- of a paused app whatever is due counts at the end of its pause
            and lanes.due_at > case when pauses.app is null then (select now from clock) else '-infinity' end
            and lanes.due_at < 'infinity'
        order by lanes.due_at, lanes.head
        limit 1
    ) as lane
)
select
    (select count(*) from due) as due,
    extract(epoch from (select now from clock) - (select min(due_at) from due))::float8 as oldest,
    extract(epoch from (
        select min(due_at) from coming where due_at > (select now from clock)
    ) - (select now from clock))::float8 as next

-- How long the oldest due head of each app has been due, and whether the app is paused: of every app that has lanes or
-- a pause.
with recursive clock as materialized (
    select clock_timestamp() as now
),
-- the apps that have lanes, one index probe each
seen as (
    select (select min(app) from lanes) as app
    union all
    select (select min(lanes.app) from lanes where lanes.app > seen.app)
    from seen
    where seen.app is not null
),
apps as (
    select app from seen where app is not null
    union
    select app from pauses
)
select
    apps.app,
    extract(epoch from (select now from clock) - (
        select lanes.due_at
        from lanes
        where lanes.app = apps.app
            and lanes.due_at <= (select now from clock)
            and lanes.lease_until <= (select now from clock)
        order by lanes.due_at, lanes.head
        limit 1
    ))::float8 as oldest,
    pauses.app is not null and (
        greatest(pauses.until, pauses.probe_until) > (select now from clock)
        -- its time is over, and what is due has not been seen to go out since; a retry waits for half a minute at most,
        -- and what is scheduled for tonight says nothing of the provider
        or exists (
            select from lanes
            where lanes.app = apps.app and lanes.due_at <= (select now from clock) + interval '1 minute'
        )
    ) as paused
from apps
left join pauses on pauses.app = apps.app
order by apps.app

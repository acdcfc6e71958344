-- The apps that know a device, or the one that is named; and the lane of each.
with recursive clock as materialized (
    select clock_timestamp() as now
),
seen as (
    select (select min(app) from receipts where device = $2 and $1::text is null) as app
    union all
    select (select min(receipts.app) from receipts where receipts.device = $2 and receipts.app > seen.app)
    from seen
    where seen.app is not null
),
apps as (
    select app from seen where app is not null
    union
    select app from dismissals where device = $2 and $1::text is null
    union
    select app from dead_tokens where device = $2 and $1::text is null
    union
    select $1::text where $1::text is not null
)
select
    apps.app,
    lanes.app is not null as laned,
    (
        select count(*)
        from (
            select
            from notifications
            where notifications.app = apps.app and notifications.device = $2
            limit $3
        ) as pending
    ) as pending,
    lanes.due_at,
    lanes.attempts,
    lanes.unanswered,
    case when lanes.lease_until > clock.now then lanes.lease_until end as leased_until,
    case when lanes.rest_until > clock.now then lanes.rest_until end as rest_until
from apps
cross join clock
left join lanes on lanes.app = apps.app and lanes.device = $2
    -- a placeholder is an enqueue's, which has not queued anything
    and lanes.head <> 0
order by apps.app collate "C"

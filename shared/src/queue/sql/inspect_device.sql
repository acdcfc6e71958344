-- The events of one device, the newest first: those it has receipts of, and those that only a dismissal or a row in its
-- lane knows.
with apps as (
    select unnest($1::text[]) as app
),
found as (
    select receipted.source, receipted.event, apps.app, receipted.seq
    from apps
    cross join lateral (
        select receipts.source, receipts.event, receipts.seq
        from receipts
        where receipts.device = $2 and receipts.app = apps.app
        order by receipts.seq desc
        limit $3
    ) as receipted
    union all
    select waiting.source, waiting.event, apps.app, waiting.seq
    from apps
    cross join lateral (
        select notifications.source, notifications.event, notifications.seq
        from notifications
        where notifications.app = apps.app and notifications.device = $2
        order by notifications.send_at desc, notifications.seq desc
        limit $3
    ) as waiting
    union all
    select dismissed.source, dismissed.event, apps.app, 0
    from apps
    cross join lateral (
        select dismissals.source, dismissals.event
        from dismissals
        where dismissals.device = $2 and dismissals.app = apps.app
        limit $3
    ) as dismissed
)
select source, event, app, $2::text as device
from found
group by source, event, app
order by max(seq) desc, source collate "C", event collate "C", app collate "C"
limit $3

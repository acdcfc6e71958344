-- Where each event stands with its device: every row of every table is looked up by its key, for one of them at a time.
with clock as materialized (
    select clock_timestamp() as now
),
wanted as materialized (
    select *
    from unnest($1::text[], $2::text[], $3::text[], $4::text[])
        with ordinality as wanted (source, event, app, device, place)
)
select
    wanted.source,
    wanted.event,
    wanted.app,
    wanted.device,
    case when receipt.keep_until > clock.now then receipt.keep_until end as duplicate_until,
    dismissal.dismissed_at,
    waiting.seq is not null as waiting,
    waiting.kind,
    waiting.send_at,
    waiting.expires_at,
    waiting.seq is not distinct from lanes.head as head,
    (
        select count(*)
        from (
            select
            from notifications
            where notifications.app = wanted.app and notifications.device = wanted.device
                and (notifications.send_at, notifications.seq) < (waiting.send_at, waiting.seq)
            limit $5
        ) as before
    ) as behind,
    nullif(lanes.due_at, 'infinity') as due_at,
    lanes.attempts,
    lanes.unanswered,
    case when lanes.lease_until > clock.now then lanes.lease_until end as leased_until,
    case when lanes.rest_until > clock.now then lanes.rest_until end as rest_until,
    dead.reason as dead_reason,
    dead.dead_at,
    dead.source as dead_source,
    dead.event as dead_event
from wanted
cross join clock
left join lateral (
    select receipts.seq, receipts.keep_until
    from receipts
    where receipts.source = wanted.source and receipts.event = wanted.event
        and receipts.app = wanted.app and receipts.device = wanted.device
    limit 1
) as receipt on true
left join lateral (
    select dismissals.dismissed_at
    from dismissals
    where dismissals.source = wanted.source and dismissals.event = wanted.event
        and dismissals.app = wanted.app and dismissals.device = wanted.device
    limit 1
) as dismissal on true
left join lateral (
    select *
    from (
        select notifications.seq, notifications.kind, notifications.send_at, notifications.expires_at
        from notifications
        where notifications.seq = receipt.seq
        union all
        -- the silent push of a dismissal has no receipt
        select push.seq, push.kind, push.send_at, push.expires_at
        from (
            select seq, source, event, kind, send_at, expires_at
            from notifications
            where notifications.app = wanted.app and notifications.device = wanted.device
            order by notifications.send_at, notifications.seq
            limit $5
        ) as push
        where (receipt.seq is null or dismissal.dismissed_at is not null)
            and push.source = wanted.source and push.event = wanted.event
            and (receipt.seq is null or push.kind = 'dismiss')
    ) as either
    limit 1
) as waiting on true
left join lanes on lanes.app = wanted.app and lanes.device = wanted.device and waiting.seq is not null
left join lateral (
    select dead_tokens.reason, dead_tokens.dead_at, dead_tokens.source, dead_tokens.event
    from dead_tokens
    where dead_tokens.device = wanted.device and dead_tokens.app = wanted.app
    order by dead_tokens.dead_at desc
    limit 1
) as dead on true
order by wanted.place

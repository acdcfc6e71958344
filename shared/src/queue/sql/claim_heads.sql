-- A new statement after the lease: a head read by the statement that locked its lane can be one that another drain
-- finished between the snapshot and the lock.
select
    notifications.seq,
    notifications.source,
    notifications.event,
    notifications.kind,
    notifications.format,
    notifications.payload::text as payload,
    notifications.target::text as target,
    notifications.send_at,
    notifications.expires_at,
    notifications.expires_at <= (select clock_timestamp()) as expired,
    -- the silent push of a dismissal carries the event that it dismisses
    notifications.kind <> 'dismiss' and exists (
        select
        from dismissals
        where dismissals.source = notifications.source
            and dismissals.event = notifications.event
            and dismissals.app = notifications.app
            and dismissals.device = notifications.device
    ) as dismissed
from notifications
where notifications.seq = any($1::bigint[])

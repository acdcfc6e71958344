-- Whether anything is left but what is in flight: what was locked, or more than one pass takes.
with flight as materialized (
    select notifications.source, notifications.event
    from lanes
    join notifications on notifications.seq = lanes.head
    where lanes.app = $1 and lanes.device = $2 and lanes.lease_until > (select clock_timestamp())
)
select
    exists (
        select
        from receipts
        where device = $2 and app = $1 and (source, event) not in (select source, event from flight)
    )
    or exists (
        select
        from dismissals
        where device = $2 and app = $1 and (source, event) not in (select source, event from flight)
    )
    or exists (select from dead_tokens where device = $2 and app = $1) as left_over

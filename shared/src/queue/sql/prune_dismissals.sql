delete from dismissals
using (
    select source, event, app, device
    from dismissals
    where dismissed_at <= (select clock_timestamp()) - make_interval(secs => $1)
    order by dismissed_at
    limit $2
    for update skip locked
) as retired
where dismissals.source = retired.source and dismissals.event = retired.event and dismissals.app = retired.app and dismissals.device = retired.device

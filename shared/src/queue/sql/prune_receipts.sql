delete from receipts
using (
    select source, event, app, device
    from receipts
    where keep_until <= (select clock_timestamp()) - make_interval(secs => $1)
    order by keep_until
    limit $2
    for update skip locked
) as retired
where receipts.source = retired.source and receipts.event = retired.event and receipts.app = retired.app and receipts.device = retired.device

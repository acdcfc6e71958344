-- The devices of one event, of one source or of all, by what enqueue and dismiss keep of it.
with recursive seen as (
    -- the sources, one index probe each, unless the caller names its own
    select (select min(source) from receipts where $1::text is null) as source
    union all
    select (select min(receipts.source) from receipts where receipts.source > seen.source)
    from seen
    where seen.source is not null
),
seen_dismissing as (
    select (select min(source) from dismissals where $1::text is null) as source
    union all
    select (select min(dismissals.source) from dismissals where dismissals.source > seen_dismissing.source)
    from seen_dismissing
    where seen_dismissing.source is not null
),
sources as (
    select source from seen where source is not null
    union
    select source from seen_dismissing where source is not null
    union
    select $1::text where $1::text is not null
),
found as (
    select sources.source, receipted.app, receipted.device
    from sources
    cross join lateral (
        select receipts.app, receipts.device
        from receipts
        where receipts.source = sources.source and receipts.event = $2
        order by receipts.app, receipts.device
        limit $3
    ) as receipted
    union
    select sources.source, dismissed.app, dismissed.device
    from sources
    cross join lateral (
        select dismissals.app, dismissals.device
        from dismissals
        where dismissals.source = sources.source and dismissals.event = $2
        order by dismissals.app, dismissals.device
        limit $3
    ) as dismissed
)
select source, $2::text as event, app, device
from found
order by source collate "C", app collate "C", device collate "C"
limit $3

-- The end is kept for the feedback queue, with the reason: the pause itself may not have been posted yet.
with ended as (
    delete from pauses where app = $1 returning app, reason
)
insert into past_pauses (app, resumed_at, reason)
select app, (select clock_timestamp()), reason from ended
on conflict do nothing

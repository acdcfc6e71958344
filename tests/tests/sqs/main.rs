//! One suite of checks, through the AWS SDK, against the local SQS endpoint and against `ministack`, an emulator that
//! others wrote: what both do is hardly our own idea of SQS. Where that emulator deviates from what SQS documents, the
//! check runs against the endpoint alone, and says why.

mod checks;
mod faults;
mod python;
mod subject;
mod venv;

use checks::{batches, bodies, queues, receipts, receiving, redrive};
use subject::Subject;

/// Makes two tests of each check, one per subject.
macro_rules! conformance {
    ($($room:ident::$check:ident,)*) => {
        mod endpoint {
            use super::*;
            $(#[tokio::test] async fn $check() { $room::$check(&Subject::endpoint().await).await; })*
        }
        mod emulator {
            use super::*;
            $(#[tokio::test] async fn $check() { $room::$check(&Subject::ministack().await).await; })*
        }
    };
}

/// Makes one test of each check, with the reason why the emulator can't pass it.
macro_rules! documented {
    ($($reason:literal: $room:ident::$check:ident,)*) => {
        mod documented {
            use super::*;
            $(
                #[doc = concat!("Deviates: ", $reason, ".")]
                #[tokio::test]
                async fn $check() { $room::$check(&Subject::endpoint().await).await; }
            )*
        }
    };
}

conformance! {
    queues::a_queue_created_again_answers_the_same_url,
    queues::a_queue_created_again_with_another_attribute_is_refused,
    queues::a_new_queue_has_the_documented_defaults,
    queues::attributes_are_read_back_as_they_were_set,
    queues::an_attribute_out_of_its_range_is_refused,
    queues::queues_are_listed_by_prefix_and_in_pages,
    queues::an_unknown_queue_is_refused_by_every_action,
    queues::a_deleted_queue_is_unknown,
    queues::a_purged_queue_is_empty,
    bodies::a_message_comes_back_as_it_was_sent,
    bodies::only_the_attributes_asked_for_are_answered,
    bodies::a_mebibyte_is_taken_and_one_byte_more_is_refused,
    bodies::a_character_outside_xml_is_refused,
    bodies::an_empty_body_is_refused,
    bodies::a_trace_header_travels_with_the_message,
    receiving::a_received_message_is_hidden_until_its_visibility_ends,
    receiving::a_delayed_message_arrives_after_its_delay,
    receiving::the_queues_delay_applies_to_a_message_without_one,
    receiving::a_long_poll_ends_with_the_first_message,
    receiving::an_empty_queue_answers_no_messages,
    receiving::a_receive_takes_at_most_ten,
    receiving::a_visibility_of_zero_shows_the_message_at_once,
    receiving::a_longer_visibility_hides_the_message_longer,
    receipts::a_deleted_message_never_comes_back,
    receipts::an_expired_receipt_still_deletes_what_nobody_received_since,
    receipts::a_forged_receipt_is_refused,
    receipts::a_receipt_of_another_queue_is_refused,
    batches::every_entry_has_a_result_of_its_own,
    batches::a_batch_of_receipts_has_results_of_its_own,
    batches::an_empty_batch_is_refused,
    batches::eleven_entries_are_refused,
    batches::an_id_that_occurs_twice_is_refused,
    batches::a_malformed_id_is_refused,
    batches::a_batch_over_a_mebibyte_is_refused,
    redrive::a_message_received_too_often_moves_to_the_dead_letter_queue,
    redrive::a_redrive_policy_without_its_queue_is_refused,
    redrive::an_empty_redrive_policy_is_none,
}

documented! {
    "keeps an attribute of any name": queues::an_unknown_attribute_is_refused,
    "answers every attribute where none is asked for": queues::no_attribute_is_answered_unasked,
    "purges as often as it is asked to": queues::a_second_purge_within_a_minute_is_refused,
    "creates it again at once": queues::the_name_of_a_deleted_queue_rests_for_a_minute,
    "takes any name": queues::a_name_outside_the_allowed_characters_is_refused,
    "takes any delay": bodies::a_delay_above_fifteen_minutes_is_refused,
    "counts the body alone": bodies::attributes_count_in_the_size_of_a_message,
    "answers no MD5OfMessageSystemAttributes": bodies::system_attributes_have_a_sum_of_their_own,
    "answers ReceiptHandleIsInvalid": receipts::a_second_delete_succeeds,
    "answers ReceiptHandleIsInvalid, as if the receipt were forged": receipts::an_older_receipt_deletes_nothing,
    "answers ReceiptHandleIsInvalid, without the reason": receipts::the_visibility_of_a_deleted_message_is_refused,
    "changes it": receipts::the_visibility_of_a_visible_message_is_refused,
    "takes any visibility": receipts::a_visibility_above_twelve_hours_is_refused,
}

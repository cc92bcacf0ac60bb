"""LONG: every test that takes long by its nature, with what of it stays in `make test`.

Each line says so: a share of its parameters, or another test that proves the same in short, or why nothing does.
`tests/support/test_long.py` holds the list to that, `tests/support/long.py` chooses by it.
"""

from dataclasses import dataclass

EACH_VALUE = -1
"""Of each parameter, each value stays in at least one test."""


@dataclass(frozen=True)
class Long:
    """`test`: a file of tests, or `file::test`. One of the others says what is left in the suite.

    `stays`: how many of its parametrised tests, or EACH_VALUE. `short`: the file or `file::test` that proves it in short.
    """

    test: str
    stays: int | None = None
    short: str = ""
    why: str = ""


LONG = (
    # A whole day's trade of all products, in three currencies.
    Long("tests/journeys/test_books_balance.py::test_the_books_balance_after_all_that_can_happen", stays=1),
    # Every supplier in some fifteen of the scenarios.
    Long("tests/suppliers/kit/test_scenarios.py::test_nothing_is_lost_doubled_or_charged_wrong", stays=64),
    Long("tests/suppliers/kit/test_mutations.py::test_no_field_is_taken_for_granted", stays=1),
    Long(
        "tests/suppliers/test_codec.py::test_the_flight_suppliers_values_survive",
        short="tests/suppliers/test_codec.py::test_a_column_holds_what_was_written",
    ),
    Long(
        "tests/esim/suppliers/airalo/test_lost_top_ups.py"
        "::test_of_top_ups_taken_on_without_an_answer_none_is_lost_and_none_doubled",
        stays=1,
    ),
    Long(
        "tests/esim/suppliers/airalo/test_lost_answers.py"
        "::test_of_orders_taken_on_without_an_answer_none_is_lost_and_none_doubled",
        stays=1,
    ),
    Long(
        "tests/hotels/suppliers/liteapi/test_lost_answers.py"
        "::test_of_bookings_taken_on_without_an_answer_none_is_lost_and_none_doubled",
        stays=1,
    ),
    Long("tests/esim/suppliers/airalo/test_refusals.py::test_a_top_up", stays=7),
    Long("tests/esim/suppliers/airalo/test_refusals.py::test_an_order", stays=7),
    # Every operation in every combination: each fault, and each operation, at least once.
    Long(
        "tests/contract/test_order_of_checks.py::test_each_fault_is_refused_with_its_status_type_and_headers",
        stays=EACH_VALUE,
    ),
    Long(
        "tests/contract/test_sandbox_triggers.py"
        "::test_elsewhere_the_call_proceeds_and_says_that_it_ignored_the_trigger",
        stays=EACH_VALUE,
    ),
    Long("tests/contract/test_sandbox_triggers.py::test_a_slow_supplier_answers_late_and_as_usual", stays=6),
    Long(
        "tests/contract/test_ratchet.py::test_every_kind_of_break_is_noticed_in_what_was_published",
        short="tests/contract/test_ratchet.py"
        "::test_every_kind_of_break_is_noticed_at_every_place_of_a_document_that_holds_everything",
    ),
    Long(
        "tests/contract/test_ratchet.py::test_every_kind_of_break_is_noticed_in_the_live_document",
        short="tests/contract/test_ratchet.py"
        "::test_every_kind_of_break_is_noticed_at_every_place_of_a_document_that_holds_everything",
    ),
    Long("tests/fuzz/test_patterns.py::test_a_pattern_takes_a_time_that_grows_as_the_text_does", stays=11),
    Long("tests/gateway/test_freed_calls.py::test_nothing_of_a_refused_call_is_left", stays=2),
    Long("tests/portal/webhooks/doctor/test_views.py::test_whatever_is_pasted_is_answered", stays=12),
    Long("tests/portal/test_products_off.py::test_every_other_guide_is_whole", stays=20),
    Long(
        "tests/portal/home/test_metrics.py::test_the_list_behind_each_number_shows_the_same_number", stays=1
    ),
    # Inputs that nobody should send, on every page.
    Long(
        "tests/portal/test_access.py::test_hostile_query_strings_crash_no_page",
        short="tests/portal/test_hostile_inputs.py::test_parameters_that_nobody_should_send",
    ),
    Long(
        "tests/common/test_hostile_back_office.py::test_no_list_fails_for_what_it_does_not_offer",
        short="tests/common/test_hostile_back_office.py::test_no_filter_fails_for_what_it_cannot_be",
    ),
    Long("tests/common/test_hostile_back_office.py::test_no_filter_fails_for_what_it_cannot_be", stays=1),
    Long(
        "tests/common/test_hostile_back_office.py::test_no_page_of_a_row_fails_for_one_that_cannot_be",
        stays=1,
    ),
    Long("tests/common/test_hostile_back_office.py::test_no_action_fails_for_rows_that_cannot_be", stays=1),
    Long(
        "tests/common/test_hostile_back_office.py::test_no_form_of_a_row_fails",
        short="tests/common/test_hostile_back_office.py::test_no_form_around_a_list_fails",
    ),
    Long(
        "tests/portal/staff/test_visit.py::test_every_post_is_refused_in_words",
        short="tests/portal/staff/test_visit.py::test_what_reads_cannot_write_whatever_its_view_does",
    ),
    # Attacks on processes. `make chaos` and `make siege` run them in full.
    Long(
        "tests/bookings/services/test_reconcile_backlog.py::test_a_claim_reads_an_index_in_its_order",
        short="tests/bookings/services/test_reconcile_backlog.py::test_workers_share_what_is_due_and_settle_each_once",
    ),
    Long(
        "tests/chaos/test_settlement_kills.py",
        short="tests/bookings/services/test_reconcile_backlog.py::test_what_a_dead_worker_had_taken_is_settled_after_its_lease",
    ),
    Long(
        "tests/chaos/test_webhooks_calls.py"
        "::test_a_webhook_call_that_goes_on_after_its_claim_commits_nothing",
        short="tests/chaos/test_webhooks_calls.py::test_no_webhook_call_is_lost_or_done_twice_by_a_death",
    ),
    Long(
        "tests/chaos/test_call_outcomes.py",
        short="tests/chaos/test_kills.py::test_no_order_is_lost_or_doubled",
    ),
    Long(
        "tests/chaos/test_kills.py::test_no_cancellation_is_lost_or_refunded_twice",
        short="tests/chaos/test_kills.py::test_no_order_is_lost_or_doubled",
    ),
    Long(
        "tests/chaos/test_airline_changes.py::test_each_change_of_an_airline_is_told_once_whatever_dies",
        stays=1,
    ),
    Long(
        "tests/chaos/test_search_kills.py",
        short="tests/gateway/test_search_quota.py::test_a_search_so_slow_that_another_call_has_its_key_is_not_billed",
    ),
    Long(
        "tests/chaos/test_lost_servers.py::test_a_restart_of_postgresql_loses_nothing_acknowledged",
        short="tests/chaos/test_lost_servers.py"
        "::test_without_redis_reads_go_on_and_bookings_are_refused_cleanly",
    ),
    Long(
        "tests/chaos/test_lost_answers.py::test_a_request_that_never_arrived_is_given_up_and_made_anew",
        short="tests/chaos/test_lost_answers.py::test_a_lost_answer_never_frees_the_funds_of_a_live_booking",
    ),
    Long(
        "tests/chaos/test_revocation.py",
        short="tests/keys/test_revocation_races.py::test_no_call_that_begins_after_the_revocation_is_accepted",
    ),
    Long(
        "tests/chaos/test_faults.py"
        "::test_a_dial_at_a_fifth_is_met_by_seed_and_every_booking_is_the_one_that_was_told",
        short="tests/chaos/test_faults.py::test_calls_at_once_take_the_shares_as_well",
    ),
    Long(
        "tests/keys/test_authentication_without_redis.py"
        "::test_freezing_and_thawing_under_traffic_never_accepts_a_revoked_key",
        short="tests/keys/test_authentication_without_redis.py"
        "::test_a_key_revoked_while_redis_is_frozen_stays_refused_after_the_thaw",
    ),
    Long("tests/sandbox/test_suites_apart.py", short="tests/onboarding/services/sandboxes/test_reset.py"),
    Long(
        "tests/gateway/metrics/test_calls.py",
        short="tests/common/test_metrics.py::test_each_process_counts_for_itself_and_all_are_summed_up",
    ),
    # Real processes that wait for time to pass.
    Long(
        "tests/common/test_beat_resting.py::test_it_rests_until_the_next_task_is_due",
        short="tests/common/test_beat_resting.py::test_it_asks_the_database_nothing_between_two_readings",
    ),
    Long(
        "tests/common/test_beat_resting.py::test_what_it_has_read_anew_is_what_it_sends",
        short="tests/common/test_beat_resting.py::test_what_an_earlier_release_had_is_not_sent",
    ),
    Long(
        "tests/deploy/test_roles.py::test_the_service_sells_under_its_role",
        short="tests/deploy/test_roles.py::test_it_cannot_alter_empty_or_drop_a_table",
    ),
    Long(
        "tests/clients/typescript/test_package.py::test_its_types_are_those_of_the_document",
        short="tests/clients/typescript/test_package.py::test_a_stale_type_is_noticed",
    ),
    Long(
        "tests/portal/test_queries.py::test_no_page_takes_more_than_twelve_queries_however_much_there_is",
        short="tests/portal/find/test_views.py::test_it_costs_at_most_twelve_queries_and_each_look_up_uses_an_index",
    ),
    Long("tests/common/test_back_office_pages.py::test_every_search_answers", stays=2),
    Long(
        "tests/demo/test_demo.py::test_a_service_that_does_not_start_is_a_failure_with_its_last_words",
        short="tests/demo/test_demo.py::test_an_unknown_product_is_named",
    ),
    Long(
        "tests/demo/test_demo.py"
        "::test_a_flights_story_ends_with_every_webhook_verified_and_the_books_balanced",
        why="`make demo` tells it, and .ci/run calls that",
    ),
    # A browser. `make pages` looks at every page at every width, and .ci/run calls that.
    Long("tests/browser/test_journey.py", short="tests/browser/test_signing_in.py"),
    Long(
        "tests/browser/test_pages.py::test_every_page_of_the_portal",
        short="tests/browser/test_pages.py::test_pages_for_everybody",
    ),
    Long(
        "tests/browser/test_pages.py::test_every_page_of_the_back_office",
        short="tests/browser/test_pages.py::test_pages_for_everybody",
    ),
    Long(
        "tests/browser/test_pages.py::test_the_documentation_fits_every_width_in_both_schemes",
        short="tests/browser/test_docs.py",
    ),
    Long(
        "tests/browser/test_working_pages.py",
        short="tests/browser/test_lists.py::test_a_row_leads_to_its_page_from_anywhere_and_by_the_arrows",
    ),
    Long(
        "tests/browser/test_keyboard.py",
        short="tests/browser/test_find.py"
        "::test_from_a_pasted_request_id_to_its_ledger_line_in_three_keys_and_a_click",
    ),
    Long("tests/browser/test_back_office.py", short="tests/portal/staff/test_find.py"),
    Long(
        "tests/browser/test_webhooks.py::test_a_delivery_is_watched_as_it_fails_and_is_sent_again",
        short="tests/browser/test_objects.py::test_deliveries_are_ticked_with_keys_and_sent",
    ),
    Long(
        "tests/browser/test_keys.py::test_the_quick_start_turns_green_with_the_first_call",
        short="tests/browser/test_keys.py::test_a_key_is_created_copied_and_not_shown_again",
    ),
    Long("tests/browser/test_team.py", short="tests/portal/team"),
    Long(
        "tests/browser/test_home.py::test_numbers_follow_and_focus_selection_and_position_stay",
        short="tests/browser/test_home.py::test_a_hidden_tab_asks_nothing_and_asks_again_when_it_is_looked_at",
    ),
    Long(
        "tests/browser/test_status.py::test_it_fits_every_width_and_axe_finds_nothing",
        short="tests/browser/test_status.py::test_a_day_is_told_in_words_and_by_its_height",
    ),
    Long(
        "tests/browser/test_charts.py::test_texts_are_large_enough_and_within_the_chart_at_every_width",
        short="tests/browser/test_charts.py::test_values_are_told_under_the_pointer_and_by_the_arrows",
    ),
    Long(
        "tests/browser/test_objects.py::test_a_booking_is_cancelled_by_keys_once_its_cost_is_shown",
        short="tests/browser/test_objects.py::test_deliveries_are_ticked_with_keys_and_sent",
    ),
    Long(
        "tests/browser/test_doctor.py::test_an_exam_is_followed_to_its_end",
        short="tests/browser/test_doctor.py::test_a_pasted_delivery_is_judged",
    ),
    Long(
        "tests/transfers/suppliers/hotelbeds/test_lost_answers.py::test_a_retry_waits_for_slow_lists_no_longer_than_its_lease_and_recovery_waits_them_out",
        short="tests/transfers/suppliers/hotelbeds/test_lost_answers.py::test_while_the_list_is_not_answered_nothing_is_given_up",
    ),
    Long(
        "tests/transfers/suppliers/hotelbeds/test_lost_answers.py::test_a_cancellation_whose_price_takes_longer_than_the_lease_is_refused_before_anything_happens",
        short="tests/transfers/suppliers/hotelbeds/test_lost_answers.py::test_a_page_waits_for_the_price_of_a_cancellation_no_longer_either",
    ),
    Long(
        "tests/bookings/services/test_long_calls.py::test_after_kill_9_recovery_finds_what_was_bought",
        short="tests/bookings/services/test_long_calls.py::test_a_call_that_never_ends_is_left_to_recovery",
    ),
    Long(
        "tests/gateway/request_log/test_graceful_stop.py",
        short="tests/gateway/request_log/test_drain.py::test_a_worker_killed_in_the_middle_loses_nothing_and_doubles_nothing",
    ),
    Long(
        "tests/gateway/test_faults.py::test_some_hundred_calls_are_refused_and_lost_by_seed_and_every_cent_is_right",
        short="tests/gateway/test_faults.py::test_a_lost_booking_stands_and_its_repetition_is_answered",
    ),
    Long(
        "tests/webhooks/services/test_send_now.py::test_a_worker_that_claims_at_the_same_time_sends_it_once",
        short="tests/webhooks/services/test_send_now.py::test_two_people_and_two_workers_send_each_once",
    ),
    Long(
        "tests/common/test_back_office_pages.py::test_every_link_of_a_row_and_of_the_first_page_is_served",
        short="tests/common/test_back_office_pages.py::test_every_link_of_a_list_is_served",
    ),
    Long("tests/common/test_hostile_back_office.py::test_no_form_around_a_list_fails", stays=1),
    Long(
        "tests/common/test_hostile_back_office.py::test_nothing_that_staff_see_is_kept_by_a_browser_or_a_proxy",
        stays=1,
    ),
    Long(
        "tests/browser/test_docs.py::test_the_form_tries_an_operation_with_a_key_as_its_form_stands",
        short="tests/browser/test_docs.py::test_every_form_begins_with_a_body_that_the_document_admits",
    ),
    Long(
        "tests/browser/test_lists.py::test_every_row_is_one_line_and_every_column_fits",
        short="tests/browser/test_lists.py::test_a_long_path_has_its_ellipsis_in_the_middle",
    ),
    Long(
        "tests/browser/test_webhooks.py::test_a_page_that_looks_again_after_the_session_ended_leads_to_the_sign_in",
        short="tests/browser/test_home.py::test_a_hidden_tab_asks_nothing_and_asks_again_when_it_is_looked_at",
    ),
    Long(
        "tests/chaos/test_lost_answers.py::test_a_lost_answer_never_frees_the_funds_of_a_live_booking",
        stays=1,
    ),
    Long(
        "tests/suppliers/kit/test_lost_answers.py::test_of_lost_answers_none_is_lost_for_good_and_none_doubled",
        stays=EACH_VALUE,
    ),
    Long(
        "tests/contract/test_sandbox_triggers.py::test_a_trigger_that_applies_makes_its_failure_happen_and_moves_nothing",
        stays=EACH_VALUE,
    ),
)

"""Threads of linear algebra while an elimination runs."""

from threadpoolctl import threadpool_info, threadpool_limits

from fselect.blas import threads_that_pay


def threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_a_table_of_ordinary_size_gets_one_thread_and_what_was_set_comes_back():
    with threads_that_pay(10, 10), threadpool_limits(2, user_api="blas"):
        with threads_that_pay(600, 20_000):
            assert threads() == {1}
        assert threads() == {2}


def test_a_large_table_gets_what_is_set():
    with threads_that_pay(10, 10), threadpool_limits(2, user_api="blas"), threads_that_pay(6000, 5000):
        assert threads() == {2}

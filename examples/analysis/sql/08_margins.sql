-- How close are the results, and how often is it a blow-out?
, ranked AS (
    SELECT game, seat_count, match_no, final_points, win, row_number() OVER (PARTITION BY match_no ORDER BY rank, final_points DESC, seat) AS place FROM places),
each AS (
    SELECT game, seat_count, max(final_points) FILTER (WHERE place = 1) AS first, max(final_points) FILTER (WHERE place = 2) AS second, max(win) < 1 AS shared
    FROM ranked GROUP BY match_no)
SELECT game, seat_count AS seats, count(*) AS n, quantile(first - second, 0.25) AS quarter, median(first - second) AS margin, quantile(first - second, 0.75) AS three_quarters,
       avg(NOT shared AND first > second AND 2 * (first - second) >= first) AS blow_outs, avg(shared) AS shared
FROM each GROUP BY game, seat_count

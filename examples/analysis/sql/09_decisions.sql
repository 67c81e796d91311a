-- How much is there to decide? First for a match, then over matches.
, each AS (
    SELECT m.game, m.seat_count, count(*) AS n, count(DISTINCT 16 * c.turn + c.acting_seat) AS turns, median(c.legal_before) AS choices,
           avg(c.legal_before = 1) AS forced, median(c.after_ms) / 1000 AS seconds
    FROM matches m CROSS JOIN commands c ON c.match_no = m.match_no
    WHERE m.match_no IN (SELECT match_no FROM played) AND NOT c.taken_back GROUP BY m.match_no)
SELECT game, seat_count AS seats, count(*) AS n, avg(1.0 * n / turns) AS in_a_turn, median(turns) AS turns, median(choices) AS choices, avg(forced) AS forced, median(seconds) AS seconds
FROM each GROUP BY game, seat_count

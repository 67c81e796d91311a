-- What does a variant change? Each value of an option that was played with 2 to 12 (null is one): the start player's share of wins, and the mean number of commands.
, chosen AS MATERIALIZED (
    SELECT p.game, p.seat_count, p.command_count, o.key AS option, CASE o.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE o.value END AS value, s.win
    FROM played p JOIN matches m USING (match_no) JOIN places s ON s.match_no = p.match_no AND s.started, json_each(m.options) o
    UNION ALL
    SELECT p.game, p.seat_count, p.command_count, 'edition', p.edition, s.win FROM played p JOIN places s ON s.match_no = p.match_no AND s.started),
few AS (SELECT game, option FROM chosen GROUP BY game, option HAVING count(DISTINCT coalesce(value, 'null')) BETWEEN 2 AND 12)
SELECT game, seat_count AS seats, option, value, count(*) AS n, avg(win) AS start_seat, avg(command_count) AS length
FROM chosen JOIN few USING (game, option) GROUP BY game, seat_count, option, value ORDER BY game, seat_count, option, n DESC, value

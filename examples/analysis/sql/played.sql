-- What is counted, as in questions.ipynb: each question goes on from here.
--     cat played.sql 01_seats.sql | muninn query --data ./data --param players=bots
-- :players is people, bots, mixed (both at one table) or all.
WITH populations AS (
    SELECT match_no, CASE sum(played_by = 'bot') WHEN 0 THEN 'people' WHEN count(*) THEN 'bots' ELSE 'mixed' END AS players
    FROM seats GROUP BY match_no),
counted AS MATERIALIZED (
    SELECT game, match_no, seat_count, start_seat, edition, event_count, command_count, take_back, players
    FROM matches JOIN populations USING (match_no)
    WHERE visibility = 'public' AND NOT sandbox AND NOT loaded AND branched_from IS NULL),
played AS MATERIALIZED (SELECT * FROM counted WHERE :players IN ('all', players)),
seated AS MATERIALIZED (
    SELECT m.game, m.match_no, m.seat_count, m.players, s.seat, s.played_by, s.bot, s.bot_version, s.final_points, s.rank, s.started,
           (s.seat - m.start_seat + m.seat_count) % m.seat_count AS turn_order,
           CASE WHEN s.won THEN 1.0 / sum(s.won) OVER (PARTITION BY s.match_no) ELSE 0 END AS win
    FROM counted m JOIN seats s USING (match_no)),
places AS MATERIALIZED (SELECT * FROM seated WHERE :players IN ('all', players))

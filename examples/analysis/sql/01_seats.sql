-- Who wins from which seat?
SELECT game, seat_count AS seats, turn_order, count(*) AS n, avg(win) AS share, 1.0 / seat_count AS fair, avg(final_points) AS points
FROM places WHERE turn_order IS NOT NULL GROUP BY game, seat_count, turn_order

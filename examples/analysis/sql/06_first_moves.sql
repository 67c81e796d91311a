-- Which first moves are the strongest? The first thing of its kind that the start player does, in at least 20 matches.
, moves AS (
    SELECT match_no, seat, min(version), tile || ' ' || mode AS move FROM voluspa_tile_placed WHERE NOT taken_back GROUP BY match_no, seat
    UNION ALL SELECT match_no, seat, min(version), card FROM rosenkoenig_card_played WHERE NOT taken_back GROUP BY match_no, seat
    UNION ALL SELECT match_no, seat, min(version), color FROM copenhagen_card_taken WHERE NOT taken_back GROUP BY match_no, seat
    UNION ALL SELECT match_no, seat, min(version), event_action || ' ' || color FROM delphi_action_taken WHERE NOT taken_back GROUP BY match_no, seat)
SELECT p.game, p.seat_count AS seats, m.move, count(*) AS n, avg(p.win) AS share, 1.0 / p.seat_count AS fair
FROM moves m JOIN places p USING (match_no, seat) WHERE p.started
GROUP BY p.game, p.seat_count, m.move HAVING count(*) >= 20 ORDER BY p.game, p.seat_count, share DESC, m.move

-- Two servers may write equal commits: the same command of the same seat in the same millisecond. Then their bytes do not say whose commit is
-- stored, so each has a mark that its writer gave it. What was stored before has none.
ALTER TABLE muninn.commits ADD COLUMN mark bigint;

-- What a program of schema 1 calls, which writes no more.
CREATE OR REPLACE FUNCTION muninn.append(
    expected integer, clean boolean, again boolean,
    streams uuid[], numbers bigint[], bodies bytea[], heads bytea[],
    owners integer[], offsets integer[], keys bytea[], vals bytea[], places bigint[]
) RETURNS TABLE (stored bigint, last bigint, taken bytea)
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the store has schema %, this program writes %', (SELECT s.schema FROM muninn.store s), expected USING ERRCODE = 'MU001';
END $$;
DROP FUNCTION muninn.append_each(bigint, boolean, uuid[], bigint[], bytea[], bytea[], integer[], bytea[], bytea[], bigint[]);

-- Appends a batch of writes, in their order: each is stored whole or refused.
--
-- One element for each write: stream, number, body and header of its commit, and its mark; the stream is null where it has none. One element for each
-- note: the write that it belongs to (1, 2 ...), how many commits the batch has up to that write, key, value, and its position where that is
-- not the write's. A note whose value is null is removed.
--
-- `clean`: no two writes of the batch can stand in each other's way, so all are stored if nothing that is stored does. `again`: the batch
-- was sent before and its outcome is unknown; a commit that is there with the mark of this write is answered as stored,
-- and so are notes without a commit that are there with the same bytes.
--
-- One row is answered for each write: the position at which it is stored, or the number of the stream's last commit, or the key of a note
-- that is taken.
CREATE FUNCTION muninn.append(
    expected integer, clean boolean, again boolean,
    streams uuid[], numbers bigint[], bodies bytea[], heads bytea[],
    owners integer[], offsets integer[], keys bytea[], vals bytea[], places bigint[], marks bigint[]
) RETURNS TABLE (stored bigint, last bigint, taken bytea)
LANGUAGE plpgsql AS $$
DECLARE
    before bigint;
    after bigint;
    found integer;
BEGIN
    SELECT s.position, s.schema INTO STRICT before, found FROM muninn.store s FOR UPDATE;
    IF found <> expected THEN
        RAISE EXCEPTION 'the store has schema %, this program writes %', found, expected USING ERRCODE = 'MU001';
    END IF;
    IF clean AND NOT again AND NOT muninn.hindered(streams, numbers, keys) THEN
        INSERT INTO muninn.commits (stream, number, position, bytes, mark)
            SELECT w.stream, w.number, before + row_number() OVER (ORDER BY w.nth), w.body, w.mark
            FROM unnest(streams, numbers, bodies, marks) WITH ORDINALITY AS w (stream, number, body, mark, nth) WHERE w.stream IS NOT NULL;
        GET DIAGNOSTICS after = ROW_COUNT;
        after := before + after;
        INSERT INTO muninn.headers (stream, bytes)
            SELECT w.stream, w.head FROM unnest(streams, heads) AS w (stream, head) WHERE w.head IS NOT NULL;
        INSERT INTO muninn.notes (key, position, bytes)
            SELECT n.key, coalesce(n.place, before + n.off), n.val
            FROM unnest(offsets, keys, vals, places) AS n (off, key, val, place) WHERE n.val IS NOT NULL;
        RETURN QUERY
            SELECT CASE WHEN w.stream IS NULL THEN after ELSE before + count(w.stream) OVER (ORDER BY w.nth) END, NULL::bigint, NULL::bytea
            FROM unnest(streams) WITH ORDINALITY AS w (stream, nth) ORDER BY w.nth;
    ELSE
        RETURN QUERY SELECT * FROM muninn.append_each(before, again, streams, numbers, bodies, heads, owners, keys, vals, places, marks);
        SELECT coalesce(max(c.position), 0) INTO after FROM muninn.commits c;
    END IF;
    IF after > before THEN
        UPDATE muninn.store SET position = after;
        PERFORM pg_notify('muninn', after::text);
    END IF;
END $$;

-- The same write by write.
CREATE FUNCTION muninn.append_each(
    before bigint, again boolean, streams uuid[], numbers bigint[], bodies bytea[], heads bytea[],
    owners integer[], keys bytea[], vals bytea[], places bigint[], marks bigint[]
) RETURNS TABLE (stored bigint, last bigint, taken bytea)
LANGUAGE plpgsql AS $$
DECLARE
    at bigint := before;
    first integer := 1;
    next integer := 1;
    newest bigint;
BEGIN
    FOR i IN 1 .. coalesce(array_length(streams, 1), 0) LOOP
        first := next;
        WHILE owners[next] = i LOOP next := next + 1; END LOOP;
        stored := NULL; last := NULL; taken := NULL;
        IF streams[i] IS NOT NULL THEN
            SELECT coalesce(max(c.number), 0) INTO newest FROM muninn.commits c WHERE c.stream = streams[i];
            IF numbers[i] <> newest + 1 THEN
                SELECT c.position INTO stored FROM muninn.commits c
                    WHERE again AND c.stream = streams[i] AND c.number = numbers[i] AND c.mark = marks[i];
                IF stored IS NULL THEN last := newest; END IF;
                RETURN NEXT; CONTINUE;
            END IF;
        ELSIF again AND next > first AND NOT EXISTS (
            SELECT FROM unnest(keys[first:next - 1], vals[first:next - 1]) AS n (key, val)
                WHERE n.val IS NULL OR NOT EXISTS (SELECT FROM muninn.notes t WHERE t.key = n.key AND t.bytes = n.val)
        ) THEN
            stored := at; RETURN NEXT; CONTINUE;
        END IF;
        SELECT n.key INTO taken FROM unnest(keys[first:next - 1], vals[first:next - 1]) WITH ORDINALITY AS n (key, val, nth)
            WHERE n.val IS NOT NULL AND (EXISTS (SELECT FROM muninn.notes t WHERE t.key = n.key)
                OR n.key = ANY (keys[first:first + n.nth::integer - 2]))
            ORDER BY n.nth LIMIT 1;
        IF taken IS NOT NULL THEN RETURN NEXT; CONTINUE; END IF;
        IF streams[i] IS NOT NULL THEN
            at := at + 1;
            INSERT INTO muninn.commits (stream, number, position, bytes, mark)
                VALUES (streams[i], numbers[i], at, bodies[i], marks[i]);
            IF heads[i] IS NOT NULL THEN INSERT INTO muninn.headers (stream, bytes) VALUES (streams[i], heads[i]); END IF;
        END IF;
        FOR j IN first .. next - 1 LOOP
            IF vals[j] IS NULL THEN
                DELETE FROM muninn.notes t WHERE t.key = keys[j];
            ELSE
                INSERT INTO muninn.notes (key, position, bytes) VALUES (keys[j], coalesce(places[j], at), vals[j]);
            END IF;
        END LOOP;
        stored := at; RETURN NEXT;
    END LOOP;
END $$;

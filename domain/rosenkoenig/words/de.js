// Rosenkönig auf Deutsch.

const SIDES = { n: 'Nord', ne: 'Nordost', e: 'Ost', se: 'Südost', s: 'Süd', sw: 'Südwest', w: 'West', nw: 'Nordwest' };
const card = (id) => `${id.toUpperCase()} (${id.at(-1)} ${SIDES[id.slice(0, -1)]})`;
const at = ({ x, y }) => `(${x}, ${y})`;
const stones = (n) => (n === 1 ? '1 Stein' : `${n} Steine`);
const points = (n) => (n === 1 ? '1 Punkt' : `${n} Punkte`);
const COLORS = { red: 'rot', white: 'weiß' };
const ADJECTIVES = { red: 'roter', white: 'weißer' };

export default {
  events: {
    MatchStarted: (e, n) => [`Vor jedem liegen offen fünf Karten; ${n.seat(e.start_seat)} beginnt.`, { rule: 'R-09' }],
    CardPlayed: (e, n) => `${n.seat(e.seat)} spielt ${card(e.card)}.`,
    HeroSpent: (e, n) => [`${n.seat(e.seat)} gibt einen Helden aus; ${e.heroes_left} übrig.`, { rule: 'R-39' }],
    StonePlaced: (e) => `Ein ${ADJECTIVES[e.color]} Stein kommt auf ${at(e.at)}; ${e.stones_left} sind übrig.`,
    StoneFlipped: (e) => [`Der Stein auf ${at(e.at)} wird auf ${COLORS[e.color]} gedreht.`, { rule: 'R-39' }],
    CrownMoved: (e) => `Die Krone zieht von ${at(e.from)} nach ${at(e.to)}.`,
    DrawPileReshuffled: (e) => [`Der Ablagestapel wird gemischt und wird zum neuen Nachziehstapel mit ${e.draw_pile.count ?? e.draw_pile.length} Karten.`, { rule: 'R-47' }],
    CardDrawn: (e, n) => `${n.seat(e.seat)} zieht ${card(e.card)}; ${e.draw_pile_left} sind noch im Stapel.`,
    TurnPassed: (e, n) => [`${n.seat(e.seat)} kann nichts tun und setzt aus.`, { rule: 'R-22' }],
    TurnStarted: (e, n) => `${n.seat(e.seat)} ist am Zug.`,
    ScoreAwarded: (e, n) => [
      `${n.seat(e.seat)} hat ${points(e.points)}: jedes Gebiet zählt seine Steine mal seine Steine.`, { rule: 'R-61' },
      { lines: e.breakdown.map((area) => `${stones(area.size)} um ${at(area.fields[0])}: ${area.size} × ${area.size} = ${area.points}`) },
    ],
    MatchFinished: (e, n) => [
      e.reason === 'last_stone' ? 'Der letzte Stein liegt: die Partie ist zu Ende.' : 'Niemand kann mehr ziehen: die Partie ist zu Ende.',
      { rule: e.reason === 'last_stone' ? 'R-50' : 'R-51' },
      { lines: e.standing.map((place) => [`${place.rank}. ${n.seat(place.seat)}: ${points(place.points)}, größtes Gebiet ${place.largest_area}, ${stones(place.stones)}`]) },
    ],
  },
  commands: {
    PlayCard: (c) => `${card(c.card)} spielen${c.hero ? ', mit Held' : ''}`,
    DrawCard: () => 'Karte ziehen',
  },
  fields: { PlayCard: 'Karte spielen', DrawCard: 'Karte ziehen', card: 'Welche Karte?', hero: 'Mit Held?' },
  options: { colors: 'Farben der Plätze 0 und 1', start: 'Wer beginnt', show_draw_pile: 'Karten des Nachziehstapels zeigen', light: 'Leicht: mit Zurücknehmen' },
  value: (field, value) => {
    if (field === 'card') return card(value);
    if (field === 'hero') return value ? 'mit Held' : 'ohne Held';
    if (field === 'start') return { random: 'das Los entscheidet', red: 'rot' }[value];
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    if (kind === 'card') return card(id);
    if (kind === 'cell') return at({ x: Number(id.split(',')[0]), y: Number(id.split(',')[1]) });
    return kind === 'pile' ? 'Nachziehstapel' : undefined;
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${points(place.points)}`,
};

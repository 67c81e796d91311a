// The Oracle of Delphi: hexes and what lies on them, dice, cards, gods, and the colours of the oracle.

export const order = { UseDie: ['color', 'as'], PlayOracleCard: ['color', 'as'], InvokeGod: ['god', 'at', 'color'] };

const hex = ({ q, r }) => `hex:${q},${r}`;
const piece = (kind, { q, r }, color) => `${kind}:${q},${r},${color}`;

export function spots(command, view) {
  const { at } = command;
  // An action is of the colour for which its source was chosen.
  const color = view.turn.source?.as;
  switch (command.type) {
    case 'ChooseShip': return [`ship:${command.ship}`];
    case 'UseDie': return [`die:${command.color}`, `color:${command.as}`];
    case 'PlayOracleCard': return [`card:${command.color}`, `color:${command.as}`];
    case 'UseBonusAction': return [`color:${command.as}`];
    case 'MoveShip': return [hex(command.to)];
    case 'LookAtIsland': case 'ExploreIsland': case 'RevealIsland': case 'BuildShrine': case 'DeliverOffering': return [hex(at)];
    case 'LoadOffering': return [hex(at), piece('offering', at, color)];
    case 'TakeOffering': return [hex(at), piece('offering', at, command.color)];
    case 'FightMonster': return [hex(at), piece('monster', at, color)];
    case 'LoadStatue': return [hex(at), `statue:${color}`];
    case 'TakeStatue': return [`statue:${command.color}`];
    case 'RaiseStatue': return [hex(at), piece('site', at, color)];
    case 'InvokeGod': return [
      `god:${command.god}`,
      ...(at ? [hex(at)] : []),
      ...(command.color ? (at ? [piece('monster', at, command.color)] : [`statue:${command.color}`]) : []),
    ];
    case 'AdvanceGod': case 'RaiseGod': case 'TradeGod': return [`god:${command.god}`];
    case 'HealColor': return [`injury:${command.color}`];
    case 'HealInjuries': return color ? [`injury:${color}`] : [];
    case 'Recover': return [...new Set(command.cards)].map((card) => `injury:${card}`);
    case 'ReturnTask': return [command.color ? `task:${command.kind}-${command.color}` : `task:${command.kind}`];
    case 'TakeEquipment': return [`equipment:${command.card}`];
    case 'TakeCompanion': return [`companion:${command.kind}-${view.pending[0].color}`];
    default: return [];
  }
}

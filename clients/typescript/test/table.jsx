// What the test of @muninn/react shows: a table as an application would write it.

import { Board, useLegal, useMatch } from '@muninn/react';
import { STYLE } from '@muninn/client/board';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Table({ place }) {
  const [state, match] = useMatch(place);
  const { buttons, narrowed, preview, problem, choose, confirm, reset } = useLegal(match);
  return (
    <main data-connection={state.connection} data-status={state.status} data-version={state.version}>
      <style>{STYLE}</style>
      {problem && <p role="alert">{problem.rule} {problem.message}</p>}
      {buttons.map((option) => <button key={option.label} className="choice" onClick={() => choose(option)}>{option.label}</button>)}
      {preview && <button id="confirm" onClick={confirm}>confirm</button>}
      {narrowed && <button id="reset" onClick={reset}>reset</button>}
      <button id="wrong" onClick={() => match.submit({ type: 'DrawCard' }).catch(() => {})}>draw a sixth card</button>
      <Board match={match} theme="light" className="board" />
    </main>
  );
}

function App() {
  const [place, setPlace] = useState(null);
  window.show = setPlace;
  return place && <Table place={place} />;
}

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);

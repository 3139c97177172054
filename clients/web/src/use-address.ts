// A choice kept in the page's address, so that a reload or a copied link shows the same.

import { useCallback, useState } from 'react';

export function useAddress(name: string): [string | null, (value: string | null) => void] {
  const [value, setValue] = useState(() => new URLSearchParams(location.search).get(name));
  const set = useCallback(
    (next: string | null) => {
      const address = new URL(location.href);
      if (next === null) address.searchParams.delete(name);
      else address.searchParams.set(name, next);
      history.replaceState(null, '', address);
      setValue(next);
    },
    [name],
  );
  return [value, set];
}

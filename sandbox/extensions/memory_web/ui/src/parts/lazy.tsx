/** Parts of the page that are fetched when they are first shown. */

import type { ComponentChildren, ComponentType } from "preact";
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

const Fallback = createContext<ComponentChildren>(null);

export function Suspense({ fallback, children }: { fallback: ComponentChildren; children: ComponentChildren }) {
  return <Fallback.Provider value={fallback}>{children}</Fallback.Provider>;
}

export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const fallback = useContext(Fallback);
    const [, redraw] = useState(0);
    useEffect(() => {
      if (!loaded) {
        void load().then((part) => {
          loaded = part.default;
          redraw(1);
        });
      }
    }, []);
    const Part = loaded;
    return Part ? <Part {...props} /> : <>{fallback}</>;
  };
}

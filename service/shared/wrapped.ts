/** An object with some of its members replaced. All others are its own, and its methods keep it as their `this`. */
export const wrapped = <T extends object>(target: T, replaced: Partial<T>): T =>
  new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key)
      const own = Reflect.get(target, key)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })

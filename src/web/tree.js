// Conspiracy numbers of a tree whose nodes stand in breadth-first order: the root first, the children of a node side by side.

export const INFINITE = 0xffffffff;

// Where the children of each node stand, its parent and its ply, given how many children each node has.
export const shapeOf = (children) => {
  const count = children.length;
  const shape = { children, first: new Uint32Array(count), parent: new Uint32Array(count), ply: new Uint16Array(count) };
  for (let node = 0, next = 1; node < count; node += 1) {
    shape.first[node] = next;
    for (let child = next; child < next + children[node]; child += 1) {
      shape.parent[child] = node;
      shape.ply[child] = shape.ply[node] + 1;
    }
    next += children[node];
  }
  return shape;
};

// The children of a node.
export const childrenOf = (shape, node) => Array.from({ length: shape.children[node] }, (_, index) => shape.first[node] + index);

// For each node how many leaves must change for it to be worth at least the target, or at most if it is to be lowered.
// The root is a MAX node. Children stand behind their parents, so one pass from the end will do.
export const countConspirators = (shape, worth, isFinal, target, raise) => {
  const { children, first, ply } = shape;
  const numbers = new Uint32Array(children.length);
  for (let node = children.length - 1; node >= 0; node -= 1) {
    if (raise ? worth[node] >= target : worth[node] <= target) continue;
    let number = isFinal[node] ? INFINITE : 1;
    if (children[node] > 0) {
      const least = raise === (ply[node] % 2 === 0);
      number = least ? INFINITE : 0;
      for (let child = first[node]; child < first[node] + children[node]; child += 1) {
        number = least ? Math.min(number, numbers[child]) : Math.min(number + numbers[child], INFINITE);
      }
    }
    numbers[node] = number;
  }
  return numbers;
};

// The leaves of a smallest set that brings the root to the target, the leftmost of several. `isOr` tells at which nodes
// one child suffices.
export const smallestSet = (shape, numbers, isOr) => {
  const found = [];
  const open = [0];
  while (open.length > 0) {
    const node = open.pop();
    if (numbers[node] === 0 || numbers[node] === INFINITE) continue;
    const children = childrenOf(shape, node);
    if (children.length === 0) found.push(node);
    else if (isOr(node)) open.push(children.find((child) => numbers[child] === numbers[node]));
    else open.push(...children.reverse());
  }
  return found;
};

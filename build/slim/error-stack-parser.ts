export default { parse: () => [] }

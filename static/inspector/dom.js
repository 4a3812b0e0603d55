// The page is made of elements and text, never of markup: texts of memories are untrusted.

const LANGUAGE = document.documentElement.lang;
const TIME = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const MOMENT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "long", hourCycle: "h23" });
const NUMBER = new Intl.NumberFormat(LANGUAGE);
const SECONDS = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

export function time(at) {
  return make("time", { datetime: at, title: moment(at) }, TIME.format(new Date(at)));
}

export function moment(at) {
  return MOMENT.format(new Date(at));
}

export function number(value) {
  return NUMBER.format(value);
}

export function seconds(ms) {
  return `${SECONDS.format(ms / 1000)} s`;
}

export function counted(count, one, many) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/// What the explorer needs beyond the style of all pages. The thumb of its slider lies below the line in the picture: the picture's
/// margins are 5 and 1.25 % of its width, twice that where it is slim, and half a thumb is 8 pixels.
enum ExplorerStyle {
  static let sheet = """
    .cut{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem 3rem}
    .cut fieldset{border:1px solid var(--line);border-radius:.4rem;margin:0;padding:.4rem .9rem .6rem;max-height:16rem;overflow:auto;min-width:0}
    .cut label{display:block;padding:.15rem 0}.cut label i{font-style:normal;color:var(--dim);font-size:.875rem}
    #parts label{display:grid;grid-template-columns:8rem minmax(0,1fr);align-items:center;gap:.5rem;margin-bottom:.4rem}
    select,button,input{font:inherit;color:inherit;accent-color:var(--link);max-width:100%}
    select,button{background:var(--soft);border:1px solid var(--dim);border-radius:.3rem;padding:.2rem .6rem}
    :is(select,button,input,.sc):focus-visible{outline:2px solid var(--link);outline-offset:2px}
    .at{font-size:.875rem}.at input{display:block;width:calc(93.75% + 16px);max-width:none;margin:0 0 0 calc(5% - 8px)}
    .at label{margin-left:5%;color:var(--dim)}
    #chart svg{width:100%;height:auto;cursor:crosshair}
    #chart .cs{stroke:var(--fg);stroke-width:1}
    .out{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
    .s{display:inline-block;width:1.6rem;height:.5rem;margin-right:.4rem;background:var(--k);forced-color-adjust:none}
    #figures td{white-space:normal;min-width:7.5rem}
    .slim #chart text{font-size:18px}.slim .at input{width:calc(87.5% + 16px);margin-left:calc(10% - 8px)}.slim .at label{margin-left:10%}
    @media (max-width:37.5em){#figures td{min-width:6rem}}
    @media print{.cut,.at,.out{display:none}#figures td{min-width:0}}

    """
}

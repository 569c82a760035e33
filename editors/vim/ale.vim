" With https://github.com/dense-analysis/ale, in .vimrc: mistakes, :ALEHover, :ALEGoToDefinition, :ALERename, :ALECodeAction.
call ale#Set('yaml_kls_executable', 'kls')

function! KlsRoot(buffer) abort
  for l:marker in ['.kls.yaml', '.git']
    let l:found = l:marker is# '.git' ? ale#path#FindNearestDirectory(a:buffer, l:marker) : ale#path#FindNearestFile(a:buffer, l:marker)
    if !empty(l:found)
      return fnamemodify(substitute(l:found, '[/\\]$', '', ''), ':h')
    endif
  endfor
  return fnamemodify(bufname(a:buffer), ':p:h')
endfunction

call ale#linter#Define('yaml', {
      \ 'name': 'kls',
      \ 'lsp': 'stdio',
      \ 'executable': {buffer -> ale#Var(buffer, 'yaml_kls_executable')},
      \ 'command': '%e lsp',
      \ 'project_root': function('KlsRoot'),
      \ })

" ALE runs only the linters that it has by itself for YAML, or that the user has named.
let s:enabled = map(copy(ale#linter#Get('yaml')), 'v:val.name')
if index(s:enabled, 'kls') < 0
  let g:ale_linters = extend(get(g:, 'ale_linters', {}), {'yaml': s:enabled + ['kls']})
endif
